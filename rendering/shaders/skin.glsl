layout(location = 0) in vec3 a_position;
layout(location = 1) in vec3 a_normal;
layout(location = 2) in vec4 a_bones;
layout(location = 3) in vec4 a_weights;
layout(location = 4) in vec3 a_surface;  // suit; -1..1, how much of a fold it is, and of a hollow as broad as a muscle
layout(location = 5) in float a_marked;  // of skin: 0..1, how much of it is in the colour of warnings
layout(location = 6) in vec3 a_color;    // its own, linear, for a surface that has colours

// Three rows for each joint. A block holds 16 KB at least, a plain array of uniforms a quarter of that.
layout(std140) uniform Palette { vec4 u_joints[1023]; };

uniform mat4 u_view_projection;

uniform uint u_calm[11];  // a bit for each joint: its part of the body is drawn calm

float calm_at(int joint) {
    return float((u_calm[joint >> 5] >> uint(joint & 31)) & 1u);
}

// How much of the vertex hangs on joints that are calm.
float calmness() {
    ivec4 i = ivec4(a_bones);
    return dot(a_weights, vec4(calm_at(i.x), calm_at(i.y), calm_at(i.z), calm_at(i.w)));
}

// Both ways of lighting must give a vertex exactly the same depth.
invariant gl_Position;

// The vertex in the pose: where it is, and its normal, of about unit length.
void skin(out vec3 position, out vec3 normal) {
    ivec4 i = ivec4(a_bones) * 3;
    vec4 w = a_weights;
    vec4 x = u_joints[i.x] * w.x + u_joints[i.y] * w.y + u_joints[i.z] * w.z + u_joints[i.w] * w.w;
    vec4 y = u_joints[i.x + 1] * w.x + u_joints[i.y + 1] * w.y + u_joints[i.z + 1] * w.z + u_joints[i.w + 1] * w.w;
    vec4 z = u_joints[i.x + 2] * w.x + u_joints[i.y + 2] * w.y + u_joints[i.z + 2] * w.z + u_joints[i.w + 2] * w.w;
    vec4 p = vec4(a_position, 1.0);
    position = vec3(dot(x, p), dot(y, p), dot(z, p));
    normal = vec3(dot(x.xyz, a_normal), dot(y.xyz, a_normal), dot(z.xyz, a_normal));
    gl_Position = u_view_projection * vec4(position, 1.0);
}
