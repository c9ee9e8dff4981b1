// The skin grown by some pixels on the screen: what shows beyond the body is a line around it.
#include "skin.glsl"

uniform vec2 u_size;    // picture, device pixels
uniform float u_grown;  // device pixels

out float v_part;  // how far the vertex belongs to the part that a line is drawn around

void main() {
    vec3 position, normal;
    skin(position, normal);
    v_part = a_marked;
    if (u_grown == 0.0) return;
    vec4 outwards = u_view_projection * vec4(normal, 0.0);
    vec2 away = (outwards.xy - gl_Position.xy / gl_Position.w * outwards.w) * u_size;
    float length_px = length(away);
    if (length_px > 1e-6) gl_Position.xy += away / length_px * u_grown * 2.0 / u_size * gl_Position.w;
}
