uniform mat4 u_view_projection;
uniform vec4 u_area;

out vec2 v_uv;

void main() {
    v_uv = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    vec2 ground = u_area.xy + v_uv * u_area.zw;
    gl_Position = u_view_projection * vec4(ground.x, 0.0, ground.y, 1.0);
}
