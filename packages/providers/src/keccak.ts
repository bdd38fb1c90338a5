const rateBytes = 136
const rounds = 24

const get = (words: Uint32Array | Uint8Array, at: number): number => words[at] ?? 0

function xor(words: Uint32Array, at: number, value: number): void {
  words[at] = get(words, at) ^ value
}

/** The constants of the rounds, each as a lower and an upper half, from the shift register of FIPS 202. */
const constants = new Uint32Array(2 * rounds)
for (let bit = 0, register = 1; bit < 7 * rounds; bit += 1) {
  const place = 2 ** (bit % 7) - 1
  if (register & 1) xor(constants, 2 * Math.floor(bit / 7) + (place >> 5), 1 << (place & 31))
  register = (register << 1) ^ (register & 0x80 ? 0x171 : 0)
}

/** The lanes in the order of the step pi, and the rotation of each. */
const lanes = new Uint8Array(rounds)
const turns = new Uint8Array(rounds)
for (let step = 0, x = 1, y = 0; step < rounds; step += 1) {
  const next = (2 * x + 3 * y) % 5
  x = y
  y = next
  lanes[step] = 2 * (x + 5 * y)
  turns[step] = (((step + 1) * (step + 2)) / 2) % 64
}

const sums = new Uint32Array(10)

/** The step theta. A lane has its lower half before its upper half. */
function mixColumns(state: Uint32Array): void {
  for (let at = 0; at < 10; at += 1) {
    sums[at] = get(state, at)
    for (let row = at + 10; row < 50; row += 10) xor(sums, at, get(state, row))
  }
  for (let x = 0; x < 10; x += 2) {
    const next = x === 8 ? 0 : x + 2
    const last = x === 0 ? 8 : x - 2
    const low = get(sums, last) ^ ((get(sums, next) << 1) | (get(sums, next + 1) >>> 31))
    const high = get(sums, last + 1) ^ ((get(sums, next + 1) << 1) | (get(sums, next) >>> 31))
    for (let at = x; at < 50; at += 10) {
      xor(state, at, low)
      xor(state, at + 1, high)
    }
  }
}

/** The steps rho and pi. */
function turnLanes(state: Uint32Array): void {
  let low = get(state, 2)
  let high = get(state, 3)
  for (let step = 0; step < rounds; step += 1) {
    const lane = get(lanes, step)
    const turn = get(turns, step)
    const nextLow = get(state, lane)
    const nextHigh = get(state, lane + 1)
    const first = turn < 32 ? low : high
    const second = turn < 32 ? high : low
    const bits = turn & 31
    // A shift by 32 is a shift by 0 in JavaScript.
    state[lane] = bits === 0 ? first : (first << bits) | (second >>> (32 - bits))
    state[lane + 1] = bits === 0 ? second : (second << bits) | (first >>> (32 - bits))
    low = nextLow
    high = nextHigh
  }
}

/** The step chi, for the lower or the upper halves of a row. */
function mixRow(state: Uint32Array, at: number): void {
  const a = get(state, at)
  const b = get(state, at + 2)
  const c = get(state, at + 4)
  const d = get(state, at + 6)
  const e = get(state, at + 8)
  state[at] = a ^ (~b & c)
  state[at + 2] = b ^ (~c & d)
  state[at + 4] = c ^ (~d & e)
  state[at + 6] = d ^ (~e & a)
  state[at + 8] = e ^ (~a & b)
}

/** The permutation Keccak-f[1600]. */
function permute(state: Uint32Array): void {
  for (let round = 0; round < rounds; round += 1) {
    mixColumns(state)
    turnLanes(state)
    for (let row = 0; row < 50; row += 10) {
      mixRow(state, row)
      mixRow(state, row + 1)
    }
    xor(state, 0, get(constants, 2 * round))
    xor(state, 1, get(constants, 2 * round + 1))
  }
}

interface Sponge {
  readonly state: Uint32Array
  /** The number of bytes in the current block. */
  readonly filled: number
}

/** Returns the state after further bytes. */
function absorb({ state: before, filled }: Sponge, bytes: Uint8Array): Sponge {
  const state = before.slice()
  let at = filled
  for (let index = 0; index < bytes.length; index += 1) {
    xor(state, at >> 2, get(bytes, index) << (8 * (at & 3)))
    at += 1
    if (at < rateBytes) continue
    permute(state)
    at = 0
  }
  return { state, filled: at }
}

/**
 * Keccak-256 of Ethereum, in hexadecimal, of texts with the same start, which is read once. SHA3-256 has another padding, so
 * that neither WebCrypto nor Node.js has the function.
 *
 * @returns a function that hashes the start with an end
 */
export function startKeccak256(start: Uint8Array): (end: Uint8Array) => string {
  const sponge = absorb({ state: new Uint32Array(50), filled: 0 }, start)
  return (end) => {
    const { state, filled } = absorb(sponge, end)
    xor(state, filled >> 2, 1 << (8 * (filled & 3)))
    xor(state, (rateBytes - 1) >> 2, 0x80 << 24)
    permute(state)
    const bytes = Array.from({ length: 32 }, (_, byte) => (get(state, byte >> 2) >>> (8 * (byte & 3))) & 0xff)
    return bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')
  }
}
