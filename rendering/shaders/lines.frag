in vec4 v_color;
in float v_across;
in float v_half;
in float v_along;
in float v_dash;

uniform float u_alpha;

out vec4 color;

void main() {
    float cover = clamp(v_half + 0.5 - abs(v_across), 0.0, 1.0) * min(1.0, v_half * 2.0);
    if (v_dash > 0.0) cover *= clamp((0.28 - abs(fract(v_along / (2.0 * v_dash)) - 0.5)) * 2.0 * v_dash + 0.5, 0.0, 1.0);
    color = vec4(v_color.rgb, v_color.a * cover * u_alpha);
}
