in vec2 v_uv;

uniform vec4 u_area;       // x, z of the corner; width, depth in metres
uniform vec4 u_start[96];  // end of a capsule and its radius
uniform vec4 u_along[96];  // the vector to its other end, and one over the square of its length
uniform int u_count;

out vec4 color;

void main() {
    vec2 ground = u_area.xy + v_uv * u_area.zw;
    vec3 p = vec3(ground.x, 0.0, ground.y);
    float open_sky = 1.0;
    for (int i = 0; i < u_count; ++i) {
        vec4 along = u_along[i];
        vec3 d = u_start[i].xyz - p;
        float r = u_start[i].w, r2 = r * r;
        d += clamp(-dot(d, along.xyz) * along.w, 0.0, 1.0) * along.xyz;
        float near = inversesqrt(max(dot(d, d), r2 * 0.3));
        // A sphere of radius r hides this share of the sky, weighted by the cosine to straight up.
        open_sky -= open_sky * min(max(d.y + 0.25 * r, 0.0) * r2 * near * near * near, 0.92);
    }
    vec2 margin = min(v_uv, 1.0 - v_uv);
    float border = smoothstep(0.0, 0.18, min(margin.x, margin.y));
    color = vec4(vec3((1.0 - open_sky) * border), 1.0);
}
