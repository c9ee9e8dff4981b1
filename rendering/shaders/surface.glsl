uniform vec3 u_skin;
uniform vec3 u_suit;
uniform float u_colored;  // 1 where each vertex has a colour of its own, else 0
uniform float u_seam;     // how much darker the suit is along its edge
uniform vec4 u_tint;      // accent and how much of it
uniform vec2 u_gloss;     // of skin and suit
uniform float u_lit;      // 1 where light falls on the surface, 0 where it has its plain colour
uniform float u_ink;      // how strongly hollows are drawn into a plain colour
uniform float u_opacity;
uniform float u_outline;  // pixels of the line that is drawn instead of the surface, 0 for the surface

uniform vec3 u_warning;   // the colour of skin that is warned of

const vec3 STILL = vec3(0.16, 0.17, 0.19);  // what a calm part fades to

// The surface's colour, its own or with the suit's sharp edge and darker seam; and how much of it is suit.
vec3 surface(float at, vec3 color, float calm, float warned, out float suit) {
    suit = clamp((at - 0.5) / max(fwidth(at), 1e-4) + 0.5, 0.0, 1.0);
    float seam = 1.0 - u_seam * suit * (1.0 - smoothstep(0.5, 0.72, at));
    vec3 own = mix(mix(u_skin, u_suit * seam, suit), color, u_colored);
    own = mix(own, mix(vec3(dot(own, vec3(0.2126, 0.7152, 0.0722))), STILL, 0.5), 0.85 * calm);
    return mix(mix(own, u_tint.rgb, u_tint.a), u_warning, warned);
}

// A surface without light: its own colour, with the deepest hollows drawn in. hollow: -1..1.
vec3 unlit(vec3 albedo, float hollow) {
    return sqrt(albedo) * (1.0 - u_ink * smoothstep(0.5, 0.95, hollow));
}

// How much of the light counts: skin warned of is seen in shadow too.
float light_on(float warned) {
    return u_lit * (1.0 - 0.6 * warned);
}

// The displayed colour of a lit one; lines take no light.
vec3 drawn(vec3 lit) {
    return u_outline > 0.0 ? sqrt(u_tint.rgb) : lit;
}

float opacity(float grazing) {
    float facing = 1.0 - grazing;
    float inwards = 0.5 * facing / max(fwidth(facing), 1e-4);  // pixels from the silhouette, as on a sphere
    if (u_outline > 0.0) return 1.0 - smoothstep(u_outline - 0.5, u_outline + 0.5, inwards);
    return min(u_opacity + (1.0 - u_opacity) * u_opacity * 1.6 * grazing * grazing, 1.0);
}
