layout(location = 0) in vec3 a_position;
layout(location = 1) in vec3 a_normal;

uniform mat4 u_view_projection;
uniform mat4 u_model;
uniform vec2 u_size;     // picture, device pixels
uniform float u_grown;   // device pixels by which it grows on the screen, for a line around it
uniform mat4 u_normals;  // the turn after one over the scale, so that normals stay perpendicular on a stretched prop

out vec3 v_position;
out vec3 v_normal;

void main() {
    vec4 position = u_model * vec4(a_position, 1.0);
    v_position = position.xyz;
    v_normal = mat3(u_normals) * a_normal;
    gl_Position = u_view_projection * position;
    if (u_grown == 0.0) return;
    vec4 outwards = u_view_projection * vec4(v_normal, 0.0);
    vec2 away = (outwards.xy - gl_Position.xy / gl_Position.w * outwards.w) * u_size;
    float length_px = length(away);
    if (length_px > 1e-6) gl_Position.xy += away / length_px * u_grown * 2.0 / u_size * gl_Position.w;
}
