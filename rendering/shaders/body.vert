out vec3 v_position;
out vec3 v_normal;
out float v_suit;
out float v_calm;

#include "skin.glsl"

void main() {
    skin(v_position, v_normal);
    v_suit = a_suit;
    v_calm = calmness();
}
