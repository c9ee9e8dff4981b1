// Light by the vertex: on a fine mesh it looks the same from where one poses, at half the time of a software renderer.
out vec3 v_light;
out vec3 v_shine;
out float v_grazing;
out float v_suit;
out float v_calm;

#include "skin.glsl"
#include "light.glsl"

void main() {
    vec3 position, normal;
    skin(position, normal);
    vec3 n = normalize(normal);
    vec3 v = normalize(u_eye - position);
    illuminate(n, v, mix(0.10, 0.035, a_suit), v_light, v_shine);
    v_grazing = 1.0 - max(dot(n, v), 0.0);
    v_suit = a_suit;
    v_calm = calmness();
}
