uniform vec4 u_rect;  // left, bottom, right, top in clip space

out vec2 v_uv;

void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    v_uv = vec2(corner.x, 1.0 - corner.y);
    gl_Position = vec4(mix(u_rect.xy, u_rect.zw, corner), 1.0, 1.0);
}
