layout(location = 0) in vec3 a_position;
layout(location = 1) in vec3 a_normal;
layout(location = 2) in vec4 a_row_x;
layout(location = 3) in vec4 a_row_y;
layout(location = 4) in vec4 a_row_z;
layout(location = 5) in vec3 a_color;

uniform mat4 u_view_projection;

out vec3 v_position;
out vec3 v_normal;
out vec3 v_color;

void main() {
    vec4 p = vec4(a_position, 1.0);
    v_position = vec3(dot(a_row_x, p), dot(a_row_y, p), dot(a_row_z, p));
    // The columns are orthogonal but of unequal length, so a normal is divided by their squared lengths.
    vec3 cx = vec3(a_row_x.x, a_row_y.x, a_row_z.x);
    vec3 cy = vec3(a_row_x.y, a_row_y.y, a_row_z.y);
    vec3 cz = vec3(a_row_x.z, a_row_y.z, a_row_z.z);
    v_normal = cx * a_normal.x / dot(cx, cx) + cy * a_normal.y / dot(cy, cy) + cz * a_normal.z / dot(cz, cz);
    v_color = a_color;
    gl_Position = u_view_projection * vec4(v_position, 1.0);
}
