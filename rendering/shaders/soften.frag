in vec2 v_uv;

uniform sampler2D u_image;
uniform vec2 u_texel;  // its sides, of the image
uniform vec4 u_tile;   // the part of the image that is softened: its corner and size, 0..1
uniform float u_reach; // of a step, in sides of that part

out vec4 color;

// What is beside the part does not get in.
float at(vec2 uv) {
    return texture(u_image, u_tile.xy + clamp(uv * u_tile.zw, 0.5 * u_texel, u_tile.zw - 0.5 * u_texel)).r;
}

// Two rings of four around the middle, between texels, so that each sample is the mean of four.
void main() {
    float sum = 0.24 * at(v_uv);
    for (int i = 0; i < 4; ++i) {
        vec2 side = i == 0 ? vec2(1.0, 0.0) : i == 1 ? vec2(0.0, 1.0) : i == 2 ? vec2(-1.0, 0.0) : vec2(0.0, -1.0);
        vec2 corner = vec2(side.x - side.y, side.x + side.y);
        sum += 0.11 * at(v_uv + side * 1.7 * u_reach);
        sum += 0.08 * at(v_uv + corner * 2.6 * u_reach);
    }
    vec2 margin = min(v_uv, 1.0 - v_uv);
    color = vec4(sum * smoothstep(0.0, 0.06, min(margin.x, margin.y)));
}
