in vec2 v_uv;

uniform vec3 u_top;
uniform vec3 u_bottom;

out vec4 color;

void main() {
    vec2 from_centre = v_uv - vec2(0.5, 0.56);
    float t = v_uv.y * v_uv.y * (3.0 - 2.0 * v_uv.y);
    vec3 c = mix(u_bottom, u_top, t) * (1.05 - 0.30 * dot(from_centre, from_centre));
    // Half a step of noise keeps the gradient from showing bands.
    float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
    color = vec4(c + (noise - 0.5) / 255.0, 1.0);
}
