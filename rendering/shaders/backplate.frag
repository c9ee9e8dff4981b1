in vec2 v_uv;

uniform sampler2D u_image;
uniform float u_opacity;

out vec4 color;

void main() {
    vec4 c = texture(u_image, v_uv);
    color = vec4(c.rgb, c.a * u_opacity);
}
