// Lit by vertex: on a fine mesh it looks the same from a posing distance, in half the time on a software renderer.
out vec3 v_light;
out vec3 v_shine;
out float v_grazing;
out float v_suit;
out float v_calm;
out float v_hollow;
out float v_warned;
out vec3 v_color;

uniform vec2 u_gloss;

#include "skin.glsl"
#include "openness.glsl"
#include "light.glsl"

void main() {
    vec3 position, normal;
    skin(position, normal);
    vec3 n = normalize(normal);
    vec3 v = normalize(u_eye - position);
    float open = openness(position, n) * above_floor(position, n) * carved(a_surface.yz);
    illuminate(n, v, mix(u_gloss.x, u_gloss.y, a_surface.x), open, v_light, v_shine);
    v_grazing = 1.0 - max(dot(n, v), 0.0);
    v_suit = a_surface.x;
    v_hollow = a_surface.y;
    v_calm = calmness();
    v_warned = a_marked;
    v_color = a_color;
}
