import { maxTimerMs } from '@sallyport/internal/deadline'

/** Waits for promises, at most for some time. */
export async function waitFor(promises: readonly unknown[], milliseconds: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise((resolve) => {
    timer = setTimeout(resolve, Math.max(0, Math.min(milliseconds, maxTimerMs)))
  })
  await Promise.race([Promise.all(promises), timeout])
  clearTimeout(timer)
}
