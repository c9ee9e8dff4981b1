layout(location = 0) in vec3 a_position;
layout(location = 2) in vec4 a_row_x;
layout(location = 3) in vec4 a_row_y;
layout(location = 4) in vec4 a_row_z;

uniform mat4 u_view_projection;

out vec3 v_position;
out vec3 v_normal;
out vec3 v_ball;

void main() {
    vec4 p = vec4(a_position, 1.0);
    v_position = vec3(dot(a_row_x, p), dot(a_row_y, p), dot(a_row_z, p));
    v_normal = vec3(dot(a_row_x.xyz, a_position), dot(a_row_y.xyz, a_position), dot(a_row_z.xyz, a_position));
    v_ball = a_position;
    gl_Position = u_view_projection * vec4(v_position, 1.0);
}
