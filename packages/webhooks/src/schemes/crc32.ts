const table = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

/**
 * Computes the CRC-32 of a body as an unsigned number. A signature over a CRC-32 binds 32 bits of the body only: PayPal has no
 * other form.
 */
export function crc32(body: Uint8Array): number {
  let value = 0xffffffff
  for (const byte of body) value = (value >>> 8) ^ (table[(value ^ byte) & 0xff] as number)
  return (value ^ 0xffffffff) >>> 0
}
