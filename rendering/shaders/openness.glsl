uniform vec4 u_start[48];   // ends of the capsules that fill the figure, and their radii
uniform vec4 u_along[48];   // the vector to the other end, and one over the square of its length
uniform int u_count;

// 0..1: how much of the all-round light reaches a place on the skin past the figure's own limbs. A limb does not darken
// its own skin, which it lies behind.
float openness(vec3 p, vec3 n) {
    float open = 1.0;
    for (int i = 0; i < u_count; ++i) {
        vec4 along = u_along[i];
        vec3 d = u_start[i].xyz - p;
        float r2 = u_start[i].w * u_start[i].w;
        d += clamp(-dot(d, along.xyz) * along.w, 0.0, 1.0) * along.xyz;
        float near = inversesqrt(max(dot(d, d), r2));
        float facing = max(dot(d, n) * near - 0.22, 0.0);
        open *= 1.0 - min(1.45 * facing * r2 * near * near, 0.85);
    }
    return open;
}

// How much light the floor keeps from a place close above it.
float above_floor(vec3 p, vec3 n) {
    return 1.0 - 0.45 * max(-n.y, 0.0) * exp(-max(p.y, 0.0) * 6.0);
}

// Darker in a hollow, lighter on a ridge. hollow: -1..1, of a fold and as broad as a muscle.
float carved(vec2 hollow) {
    vec2 dark = max(hollow, 0.0), light = min(hollow, 0.0);
    return 1.0 - dot(dark, vec2(0.70, 0.40)) - dot(light, vec2(0.25, 0.22));
}
