layout(location = 0) in vec4 a_place;   // metres; scale
layout(location = 1) in vec4 a_color;
layout(location = 2) in vec4 a_style;   // kind, pinned, halo, strength

uniform mat4 u_view_projection;
uniform vec3 u_eye;
uniform vec2 u_size;
uniform float u_ratio;
uniform float u_lift;

out vec2 v_pixel;   // logical pixels from the middle, y up, before scaling
out vec4 v_color;
flat out vec4 v_style;
flat out float v_scale;

// How far from the middle a mark is painted: to the end of its outline, or of its glow.
float reach() {
    return abs(a_style.x - 5.0) < 0.5 ? 27.0 : a_style.z > 0.0 ? 20.0 : abs(a_style.x - 3.0) < 0.5 ? 6.5 : 14.0;
}

void main() {
    vec4 centre = u_view_projection * vec4(a_place.xyz, 1.0);
    if (centre.w < 0.02) { gl_Position = vec4(2.0, 2.0, 2.0, 1.0); return; }
    vec4 lifted = u_view_projection * vec4(a_place.xyz + normalize(u_eye - a_place.xyz) * u_lift, 1.0);
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
    float far = reach();
    v_pixel = corner * far;
    v_color = a_color;
    v_style = a_style;
    v_scale = a_place.w;
    vec2 ndc = centre.xy / centre.w + corner * far * a_place.w * u_ratio * 2.0 / u_size;
    gl_Position = vec4(ndc, clamp(lifted.z / max(lifted.w, 1e-5), -1.0, 1.0), 1.0);
}
