in vec3 v_position;
in vec3 v_normal;
in float v_suit;

uniform vec3 u_skin;
uniform vec3 u_suit;
uniform vec4 u_tint;      // accent and how much of it
uniform float u_opacity;
uniform float u_glow;     // accent along the silhouette, for a selected figure

out vec4 color;

#include "light.glsl"

void main() {
    vec3 n = normalize(v_normal);
    vec3 v = normalize(u_eye - v_position);
    n = gl_FrontFacing ? n : -n;
    float width = max(fwidth(v_suit), 1e-4);
    float suit = clamp((v_suit - 0.5) / width + 0.5, 0.0, 1.0);
    float seam = 1.0 - 0.35 * suit * (1.0 - smoothstep(0.5, 0.72, v_suit));
    vec3 albedo = mix(u_skin, u_suit * seam, suit);
    albedo = mix(albedo, u_tint.rgb, u_tint.a);
    vec3 lit = shade(albedo, n, v, mix(0.10, 0.035, suit));
    float grazing = 1.0 - max(dot(n, v), 0.0);
    lit += sqrt(u_tint.rgb) * u_glow * grazing * grazing;
    float alpha = u_opacity + (1.0 - u_opacity) * u_opacity * 1.6 * grazing * grazing;
    color = vec4(lit, min(alpha, 1.0));
}
