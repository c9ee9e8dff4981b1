in vec2 v_uv;

uniform sampler2D u_shadow;
uniform vec3 u_color;
uniform float u_strength;
uniform vec4 u_part;  // of the texture: its corner and sides, 0..1

out vec4 color;

// What is beside the part does not get in.
void main() {
    vec2 half_texel = 0.5 / vec2(textureSize(u_shadow, 0));
    vec2 within = clamp(v_uv * u_part.zw, half_texel, u_part.zw - half_texel);
    color = vec4(u_color, texture(u_shadow, u_part.xy + within).r * u_strength);
}
