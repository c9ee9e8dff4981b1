in vec3 v_light;
in vec3 v_shine;
in float v_grazing;
in float v_suit;
in float v_calm;
in float v_hollow;
in float v_warned;
in vec3 v_color;

out vec4 color;

#include "surface.glsl"

void main() {
    float suit;
    vec3 albedo = surface(v_suit, v_color, v_calm, v_warned, suit);
    vec3 lit = sqrt(clamp(albedo * v_light + v_shine, 0.0, 1.0));
    color = vec4(drawn(mix(unlit(albedo, v_hollow), lit, light_on(v_warned))), opacity(v_grazing));
}
