in vec3 v_position;
in vec3 v_normal;
in vec3 v_color;

uniform float u_opacity;

out vec4 color;

#include "light.glsl"

void main() {
    vec3 n = normalize(v_normal);
    color = vec4(shade(v_color, n, normalize(u_eye - v_position), 0.12, 1.0), u_opacity);
}
