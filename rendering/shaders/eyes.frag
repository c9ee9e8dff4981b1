in vec3 v_position;
in vec3 v_normal;
in vec3 v_ball;

uniform vec3 u_white;
uniform vec3 u_iris;
uniform vec3 u_pupil;
uniform float u_gloss;
uniform float u_lit;
uniform float u_opacity;

out vec4 color;

#include "light.glsl"

const float IRIS = 0.46, PUPIL = 0.20;  // radii, of the ball's

float inside(float radius, float off) {
    return 1.0 - smoothstep(-1.0, 1.0, (off - radius) / max(fwidth(off), 0.01));
}

void main() {
    vec3 n = normalize(v_normal), ball = normalize(v_ball);
    float off = length(ball.xy);
    float rim = 1.0 - 0.35 * smoothstep(0.75 * IRIS, IRIS, off);
    vec3 albedo = mix(u_white, u_iris * rim, inside(IRIS, off));
    albedo = mix(albedo, u_pupil, inside(PUPIL, off));
    // The upper lid and both corners shade the ball.
    float open = (1.0 - 0.4 * smoothstep(0.1, 0.7, ball.y)) * (1.0 - 0.2 * smoothstep(0.4, 0.95, abs(ball.x)));
    vec3 lit = shade(albedo, n, normalize(u_eye - v_position), u_gloss, open);
    color = vec4(mix(sqrt(albedo), lit, u_lit), u_opacity);
}
