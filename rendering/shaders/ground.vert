uniform mat4 u_view_projection;
uniform vec2 u_centre;
uniform float u_reach;
uniform float u_height;

out vec2 v_ground;

void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
    v_ground = u_centre + corner * u_reach;
    gl_Position = u_view_projection * vec4(v_ground.x, u_height, v_ground.y, 1.0);
}
