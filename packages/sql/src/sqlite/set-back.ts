/**
 * Notices that a clock was set back. Work may then be due at a time that the clock only reaches again later.
 *
 * @returns takes a reading of the clock, and returns whether it is the first one or earlier than the one before; `forget`
 *   makes the next reading the first one
 */
export function createSetBackWatch(): { (now: number): boolean; forget(): void } {
  let last = Infinity
  const watch = (now: number) => {
    const isSetBack = now < last
    last = now
    return isSetBack
  }
  return Object.assign(watch, {
    forget() {
      last = Infinity
    },
  })
}
