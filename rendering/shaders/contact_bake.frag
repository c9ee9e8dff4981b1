in float v_height;

out vec4 color;

void main() {
    float height = max(v_height, 0.0);
    color = vec4(exp(-height * height / (2.0 * 0.035 * 0.035)) * 0.7 + exp(-height / 0.06) * 0.3);
}
