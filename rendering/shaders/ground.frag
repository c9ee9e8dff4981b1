in vec2 v_ground;

uniform vec2 u_centre;
uniform float u_reach;
uniform vec3 u_floor;
uniform vec3 u_line;
uniform float u_floor_strength;
uniform float u_line_strength;
uniform float u_ratio;

out vec4 color;

float lines(vec2 p, vec2 footprint) {
    vec2 near = abs(fract(p - 0.5) - 0.5) / footprint;
    vec2 on = clamp(0.6 * u_ratio + 0.5 - near, 0.0, 1.0) * clamp(0.55 / (footprint * u_ratio) - 0.6, 0.0, 1.0);
    return max(on.x, on.y);
}

void main() {
    vec2 from_centre = (v_ground - u_centre) / u_reach;
    float distance2 = dot(from_centre, from_centre);
    if (distance2 >= 1.0) discard;
    float fade = (1.0 - distance2) * (1.0 - distance2);
    fade *= fade;
    vec2 footprint = max(fwidth(v_ground), 1e-6);
    float line = max(lines(v_ground, footprint), 0.38 * lines(v_ground * 4.0, footprint * 4.0));
    float floor_alpha = u_floor_strength * fade;
    float line_alpha = u_line_strength * line * fade;
    float alpha = floor_alpha + line_alpha * (1.0 - floor_alpha);
    color = vec4(mix(u_floor, u_line, line_alpha / max(alpha, 1e-4)), alpha);
}
