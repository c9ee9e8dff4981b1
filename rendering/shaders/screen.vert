out vec2 v_uv;  // 0..1, origin at the bottom left

void main() {
    v_uv = vec2((gl_VertexID << 1) & 2, gl_VertexID & 2);
    gl_Position = vec4(v_uv * 2.0 - 1.0, 1.0, 1.0);
}
