in vec2 v_uv;

uniform sampler2D u_shadow;
uniform vec3 u_color;
uniform float u_strength;

out vec4 color;

void main() {
    color = vec4(u_color, texture(u_shadow, v_uv).r * u_strength);
}
