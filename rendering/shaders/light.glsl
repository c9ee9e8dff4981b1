uniform vec3 u_eye;
uniform vec3 u_key;
uniform vec3 u_rim;
uniform vec3 u_key_color;
uniform vec3 u_rim_color;
uniform float u_wrap;       // how far round the key light reaches
uniform vec3 u_right;       // the viewer's right and back, level with the floor
uniform vec3 u_back;
uniform vec3 u_box_right;   // all-round light, as a box around the figure
uniform vec3 u_box_left;
uniform vec3 u_box_above;
uniform vec3 u_box_below;
uniform vec3 u_box_front;
uniform vec3 u_box_back;

// A key light, a rim light from behind, and a box whose sides differ, so that planes are told apart in shadow too.
// Linear: what falls on a surface, and what it reflects whatever its colour. open: 0..1, how much reaches the place.
void illuminate(vec3 n, vec3 v, float gloss, float open, out vec3 light, out vec3 mirrored) {
    float key = max((dot(n, u_key) + u_wrap) / (1.0 + u_wrap), 0.0);
    key *= mix(1.0, open, 0.45);
    vec3 local = vec3(dot(n, u_right), n.y, dot(n, u_back));
    vec3 share = local * local;
    vec3 box = share.x * (local.x > 0.0 ? u_box_right : u_box_left)
             + share.y * (local.y > 0.0 ? u_box_above : u_box_below)
             + share.z * (local.z > 0.0 ? u_box_front : u_box_back);
    vec3 half_way = normalize(u_key + v);
    float shine = max(dot(n, half_way), 0.0);
    shine *= shine; shine *= shine; shine *= shine; shine *= shine;
    float grazing = 1.0 - max(dot(n, v), 0.0);
    float rim = grazing * grazing * grazing * max(dot(n, u_rim) * 0.8 + 0.2, 0.0);
    light = box * open + u_key_color * key * mix(key, 1.0, 0.35) * 0.95;
    mirrored = (u_rim_color * rim + u_key_color * shine * gloss) * open;
}

// Linear colour in, what is displayed (gamma 2) out.
vec3 shade(vec3 albedo, vec3 n, vec3 v, float gloss, float open) {
    vec3 light, mirrored;
    illuminate(n, v, gloss, open, light, mirrored);
    return sqrt(clamp(albedo * light + mirrored, 0.0, 1.0));
}
