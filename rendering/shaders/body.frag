in vec3 v_position;
in vec3 v_normal;
in float v_suit;
in float v_calm;
in float v_open;
in float v_hollow;
in float v_warned;
in vec3 v_color;

out vec4 color;

#include "light.glsl"
#include "surface.glsl"

void main() {
    vec3 n = normalize(v_normal);
    vec3 v = normalize(u_eye - v_position);
    n = gl_FrontFacing ? n : -n;
    float suit;
    vec3 albedo = surface(v_suit, v_color, v_calm, v_warned, suit);
    float grazing = 1.0 - max(dot(n, v), 0.0);
    vec3 lit = shade(albedo, n, v, mix(u_gloss.x, u_gloss.y, suit), v_open);
    color = vec4(drawn(mix(unlit(albedo, v_hollow), lit, light_on(v_warned))), opacity(grazing));
}
