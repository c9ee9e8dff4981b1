in vec2 v_uv;

uniform vec4 u_area;       // x, z of the corner; width, depth in metres
uniform vec4 u_start[96];  // end of a capsule and its radius
uniform vec4 u_end[96];
uniform int u_count;

out vec4 color;

void main() {
    vec2 ground = u_area.xy + v_uv * u_area.zw;
    vec3 p = vec3(ground.x, 0.0, ground.y);
    float open_sky = 1.0;
    for (int i = 0; i < u_count; ++i) {
        vec3 a = u_start[i].xyz;
        vec3 along = u_end[i].xyz - a;
        float r = u_start[i].w;
        float share = clamp(dot(p - a, along) / max(dot(along, along), 1e-8), 0.0, 1.0);
        vec3 d = a + share * along - p;
        float l2 = max(dot(d, d), r * r * 0.3);
        // A sphere of radius r hides this share of the sky, weighted by the cosine to straight up.
        open_sky *= 1.0 - min(max(d.y + 0.25 * r, 0.0) * r * r / (l2 * sqrt(l2)), 0.92);
    }
    vec2 margin = min(v_uv, 1.0 - v_uv);
    float border = smoothstep(0.0, 0.18, min(margin.x, margin.y));
    color = vec4(vec3((1.0 - open_sky) * border), 1.0);
}
