layout(location = 0) in vec3 a_position;
layout(location = 1) in vec3 a_normal;

uniform mat4 u_view_projection;
uniform mat4 u_model;
uniform mat4 u_normals;  // the turn after one over the scale, so that normals stay upright on what is stretched

out vec3 v_position;
out vec3 v_normal;

void main() {
    vec4 position = u_model * vec4(a_position, 1.0);
    v_position = position.xyz;
    v_normal = mat3(u_normals) * a_normal;
    gl_Position = u_view_projection * position;
}
