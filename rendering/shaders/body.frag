in vec3 v_position;
in vec3 v_normal;
in float v_suit;
in float v_calm;

out vec4 color;

#include "light.glsl"
#include "surface.glsl"

void main() {
    vec3 n = normalize(v_normal);
    vec3 v = normalize(u_eye - v_position);
    n = gl_FrontFacing ? n : -n;
    float suit;
    vec3 albedo = surface(v_suit, v_calm, suit);
    float grazing = 1.0 - max(dot(n, v), 0.0);
    color = vec4(drawn(shade(albedo, n, v, mix(0.10, 0.035, suit)) + glow(grazing)), opacity(grazing));
}
