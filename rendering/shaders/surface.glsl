uniform vec3 u_skin;
uniform vec3 u_suit;
uniform vec4 u_tint;      // accent and how much of it
uniform float u_opacity;
uniform float u_outline;  // pixels of the line that is drawn instead of the surface, 0 for the surface
uniform float u_glow;     // accent along the silhouette, for a selected figure

const vec3 STILL = vec3(0.16, 0.17, 0.19);  // what a calm part fades to

// The surface's colour with the suit's sharp edge and darker seam, and how much of it is suit.
vec3 surface(float at, float calm, out float suit) {
    suit = clamp((at - 0.5) / max(fwidth(at), 1e-4) + 0.5, 0.0, 1.0);
    float seam = 1.0 - 0.35 * suit * (1.0 - smoothstep(0.5, 0.72, at));
    vec3 own = mix(u_skin, u_suit * seam, suit);
    own = mix(own, mix(vec3(dot(own, vec3(0.2126, 0.7152, 0.0722))), STILL, 0.5), 0.85 * calm);
    return mix(own, u_tint.rgb, u_tint.a);
}

vec3 glow(float grazing) {
    return sqrt(u_tint.rgb) * u_glow * grazing * grazing;
}

// How the picture's colour is once light and glow are in it: a line has none of them.
vec3 drawn(vec3 lit) {
    return u_outline > 0.0 ? sqrt(u_tint.rgb) : lit;
}

float opacity(float grazing) {
    float facing = 1.0 - grazing;
    float inwards = 0.5 * facing / max(fwidth(facing), 1e-4);  // pixels from the silhouette, as on a sphere
    if (u_outline > 0.0) return 1.0 - smoothstep(u_outline - 0.5, u_outline + 0.5, inwards);
    return min(u_opacity + (1.0 - u_opacity) * u_opacity * 1.6 * grazing * grazing, 1.0);
}
