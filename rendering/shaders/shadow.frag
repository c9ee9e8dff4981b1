in vec2 v_uv;

uniform sampler2D u_shadow;
uniform vec3 u_color;
uniform float u_strength;
uniform vec4 u_part;  // of the texture: its corner and sides, 0..1

out vec4 color;

void main() {
    color = vec4(u_color, texture(u_shadow, u_part.xy + v_uv * u_part.zw).r * u_strength);
}
