// The skin from straight above, flattened onto a picture of the floor.
uniform vec4 u_area;  // x, z of the corner; width, depth in metres

out float v_height;

#include "skin.glsl"

void main() {
    vec3 position, normal;
    skin(position, normal);
    v_height = position.y;
    gl_Position = vec4((position.xz - u_area.xy) / u_area.zw * 2.0 - 1.0, 0.0, 1.0);
}
