in vec3 v_position;
in vec3 v_normal;

out vec4 color;

#include "light.glsl"

uniform vec3 u_color;
uniform vec3 u_mark;   // as displayed
uniform float u_lit;   // 1 where light falls on it, 0 where it has its plain colour
uniform float u_glow;  // of the mark along the silhouette

void main() {
    vec3 n = normalize(v_normal);
    vec3 v = normalize(u_eye - v_position);
    n = gl_FrontFacing ? n : -n;
    float grazing = 1.0 - max(dot(n, v), 0.0);
    vec3 lit = mix(sqrt(u_color), shade(u_color, n, v, 0.02, 1.0), u_lit);
    color = vec4(mix(lit, u_mark, u_glow * (0.22 + grazing * grazing * grazing)), 1.0);
}
