in float v_part;

uniform vec4 u_color;
uniform float u_least;  // of v_part, from which it is drawn
uniform float u_cut;    // pixels of a line along the border of that part, 0 to fill all of it

out vec4 color;

void main() {
    float inwards = (v_part - u_least) / max(fwidth(v_part), 1e-5);
    if (v_part < u_least) discard;
    float cover = u_cut > 0.0 ? 1.0 - smoothstep(u_cut - 0.5, u_cut + 0.5, inwards) : 1.0;
    color = vec4(u_color.rgb, u_color.a * cover);
}
