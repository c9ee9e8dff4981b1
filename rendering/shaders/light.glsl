uniform vec3 u_eye;
uniform vec3 u_key;
uniform vec3 u_rim;

// Studio light: warm key, cool sky and warm floor as ambient, a weak cool rim. Linear: what falls on a surface, and
// what it mirrors whatever its colour.
void illuminate(vec3 n, vec3 v, float gloss, out vec3 light, out vec3 mirrored) {
    float key = max((dot(n, u_key) + 0.28) / 1.28, 0.0);
    vec3 ambient = mix(vec3(0.150, 0.128, 0.120), vec3(0.270, 0.300, 0.345), n.y * 0.5 + 0.5);
    vec3 half_way = normalize(u_key + v);
    float shine = max(dot(n, half_way), 0.0);
    shine *= shine; shine *= shine; shine *= shine; shine *= shine;
    float grazing = 1.0 - max(dot(n, v), 0.0);
    float edge = grazing * grazing * grazing;
    float rim = edge * max(dot(n, u_rim) * 0.8 + 0.2, 0.0);
    light = ambient + vec3(1.02, 0.94, 0.85) * key * key * 0.95;
    mirrored = vec3(0.62, 0.74, 0.95) * rim * 0.34 + vec3(1.0, 0.95, 0.88) * shine * gloss;
}

// Linear colour in, what is displayed (gamma 2) out.
vec3 shade(vec3 albedo, vec3 n, vec3 v, float gloss) {
    vec3 light, mirrored;
    illuminate(n, v, gloss, light, mirrored);
    return sqrt(clamp(albedo * light + mirrored, 0.0, 1.0));
}
