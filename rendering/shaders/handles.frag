in vec2 v_pixel;
in vec4 v_color;
flat in vec4 v_style;
flat in float v_scale;

uniform float u_ratio;
uniform float u_alpha;
uniform vec3 u_outline;
uniform vec3 u_highlight;
uniform vec3 u_edge;   // around the outline, so that a mark stands off from light and from dark

out vec4 color;

// Every shape gives its distance (negative inside), of the whole disc in .x and of the drawn strokes in .y.

vec2 ball_shape(vec2 p) {
    float disc = length(p) - 8.0;
    return vec2(disc, min(abs(disc + 1.0) - 1.15, length(p) - 2.4));
}

float triangle(vec2 p, vec2 tip, vec2 forward, float size) {
    vec2 q = p - tip;
    float f = dot(q, forward), s = abs(dot(q, vec2(-forward.y, forward.x)));
    return max(-f - size, (f + 2.0 * s) * 0.447 * 1.0 - 0.0);
}

vec2 ring_shape(vec2 p) {
    float disc = length(p) - 8.5;
    vec2 q = p.y < 0.0 || (p.y == 0.0 && p.x < 0.0) ? -p : p;   // the other half, turned by 180 degrees
    float angle = atan(q.y, q.x);
    float arc = max(abs(length(q) - 7.6) - 1.15, max(0.62 - angle, angle - 2.95) * 7.6);
    vec2 end = vec2(cos(0.62), sin(0.62)) * 7.6;
    vec2 clockwise = vec2(end.y, -end.x) / 7.6;
    float head = min(triangle(q, end + clockwise * 4.2, clockwise, 5.8), triangle(-q, end + clockwise * 4.2, clockwise, 5.8));
    return vec2(disc, min(min(arc, head), length(p) - 1.6));
}

// The same around another handle: a band of its own, with nothing in the middle.
vec2 wide_ring_shape(vec2 p) {
    const float RADIUS = 13.2;
    float band = abs(length(p) - RADIUS) - 1.7;
    vec2 q = p.y < 0.0 || (p.y == 0.0 && p.x < 0.0) ? -p : p;
    float angle = atan(q.y, q.x);
    float arc = max(abs(length(q) - RADIUS) - 1.15, max(0.62 - angle, angle - 2.95) * RADIUS);
    vec2 end = vec2(cos(0.62), sin(0.62)) * RADIUS;
    vec2 clockwise = vec2(end.y, -end.x) / RADIUS;
    vec2 tip = end + clockwise * 5.0;
    float head = min(triangle(q, tip, clockwise, 5.6), triangle(-q, tip, clockwise, 5.6));
    return vec2(band, min(arc, head));
}

vec2 target_shape(vec2 p) {
    float lid = max(length(p + vec2(0.0, 6.0)) - 12.6, length(p - vec2(0.0, 6.0)) - 12.6);
    return vec2(lid, min(abs(lid + 1.0) - 1.1, length(p) - 3.0));
}

// A palm's breadth of skin above a surface: a dot over a shallow bowl.
vec2 contact_shape(vec2 p) {
    float disc = length(p) - 8.0;
    float bowl = max(abs(length(p - vec2(0.0, 0.6)) - 7.2) - 1.15, p.y + 1.2);
    return vec2(disc, min(bowl, length(p - vec2(0.0, 0.4)) - 2.6));
}

vec2 joint_shape(vec2 p) {
    float disc = length(p) - 3.2;
    return vec2(disc, disc);
}

void main() {
    int kind = int(v_style.x + 0.5);
    bool pinned = v_style.y > 0.5;
    float halo = v_style.z;
    vec2 d = kind == 0 ? ball_shape(v_pixel) : kind == 1 ? ring_shape(v_pixel)
           : kind == 2 ? target_shape(v_pixel) : kind == 4 ? contact_shape(v_pixel)
           : kind == 5 ? wide_ring_shape(v_pixel) : joint_shape(v_pixel);
    float soft = v_scale * u_ratio;   // distances become device pixels
    float inside = clamp(0.5 - d.x * soft, 0.0, 1.0);
    float stroke = clamp(0.5 - d.y * soft, 0.0, 1.0);
    float around = clamp(0.5 - (min(d.x, d.y) - 1.5) * soft, 0.0, 1.0);
    vec3 main_color = mix(v_color.rgb, u_highlight, halo * 0.25);

    float edge = clamp(0.5 - (min(d.x, d.y) - 2.6) * soft, 0.0, 1.0) * (kind == 3 ? 0.0 : 0.8);
    vec3 c = mix(u_edge, u_outline, around);
    if (kind == 5 && length(v_pixel) < 13.2) { edge = 0.0; }   // that is the other mark's place
    float alpha = mix(edge, pinned ? 0.85 : kind == 5 ? 0.62 : 0.78, around);
    if (pinned) {   // filled, with a dark pin in the middle
        c = mix(c, main_color, inside);
        alpha = max(alpha, inside);
        float pin = clamp(0.5 - (length(v_pixel) - (kind == 3 ? 1.0 : 2.7)) * soft, 0.0, 1.0) * (kind == 5 ? 0.0 : 1.0);
        c = mix(c, u_outline, pin);
        if (kind == 1 || kind == 5) { c = mix(c, u_outline, stroke); }
    } else {
        c = mix(c, main_color, stroke);
        alpha = max(alpha, stroke);
        c = mix(c, main_color, inside * (1.0 - stroke) * 0.35 * halo);
    }
    float glow = halo * exp(-max(d.x - 1.5, 0.0) * 0.42) * (1.0 - around) * 0.75 * (1.0 - edge);
    c = mix(c, main_color, glow / max(glow + alpha, 1e-4));
    alpha = max(alpha, glow);
    color = vec4(c, alpha * v_color.a * u_alpha);
}
