in vec3 v_light;
in vec3 v_shine;
in float v_grazing;
in float v_suit;
in float v_calm;

out vec4 color;

#include "surface.glsl"

void main() {
    float suit;
    vec3 albedo = surface(v_suit, v_calm, suit);
    color = vec4(drawn(sqrt(albedo * v_light + v_shine) + glow(v_grazing)), opacity(v_grazing));
}
