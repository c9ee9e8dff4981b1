layout(location = 0) in vec4 a_start;  // metres; width in pixels
layout(location = 1) in vec4 a_end;
layout(location = 2) in vec4 a_color;
layout(location = 3) in float a_dash;  // length of a dash in pixels, 0 for a solid line

uniform mat4 u_view_projection;
uniform vec3 u_eye;
uniform vec2 u_size;        // picture, device pixels
uniform float u_ratio;      // device pixels per logical pixel
uniform float u_lift;       // metres towards the viewer, only for the depth test

out vec4 v_color;
out float v_across;         // device pixels from the middle
out float v_half;
out float v_along;
out float v_dash;

const float NEAR = 0.02;

float lifted_depth(vec3 p) {
    vec4 c = u_view_projection * vec4(p + normalize(u_eye - p) * u_lift, 1.0);
    return clamp(c.z / max(c.w, 1e-5), -1.0, 1.0);
}

void main() {
    vec3 a = a_start.xyz, b = a_end.xyz;
    vec4 ca = u_view_projection * vec4(a, 1.0), cb = u_view_projection * vec4(b, 1.0);
    if (ca.w < NEAR && cb.w < NEAR) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return; }
    if (ca.w < NEAR) { float t = (NEAR - ca.w) / (cb.w - ca.w); a = mix(a, b, t); ca = mix(ca, cb, t); }
    if (cb.w < NEAR) { float t = (NEAR - cb.w) / (ca.w - cb.w); b = mix(b, a, t); cb = mix(cb, ca, t); }
    vec2 sa = ca.xy / ca.w * u_size * 0.5, sb = cb.xy / cb.w * u_size * 0.5;
    float long_px = length(sb - sa);
    vec2 along = long_px > 1e-3 ? (sb - sa) / long_px : vec2(1.0, 0.0);
    float t = float(gl_VertexID & 1), side = float(gl_VertexID >> 1) * 2.0 - 1.0;
    float half_width = 0.5 * u_ratio * mix(a_start.w, a_end.w, t);
    vec2 p = mix(sa, sb, t) + vec2(-along.y, along.x) * side * (half_width + 1.0);
    v_across = side * (half_width + 1.0);
    v_half = half_width;
    v_along = t * long_px / u_ratio;
    v_dash = a_dash;
    v_color = a_color;
    gl_Position = vec4(p / u_size * 2.0, mix(lifted_depth(a), lifted_depth(b), t), 1.0);
}
