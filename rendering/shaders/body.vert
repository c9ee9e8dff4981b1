out vec3 v_position;
out vec3 v_normal;
out float v_suit;
out float v_calm;
out float v_open;
out float v_hollow;
out float v_warned;
out vec3 v_color;

#include "skin.glsl"
#include "openness.glsl"

void main() {
    skin(v_position, v_normal);
    vec3 n = normalize(v_normal);
    v_open = openness(v_position, n) * above_floor(v_position, n) * carved(a_surface.yz);
    v_suit = a_surface.x;
    v_hollow = a_surface.y;
    v_calm = calmness();
    v_warned = a_marked;
    v_color = a_color;
}
