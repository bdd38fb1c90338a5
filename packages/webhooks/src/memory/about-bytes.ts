/**
 * About how many bytes data takes: those of its JSON, as if each character were one. What JSON cannot say counts for
 * nothing.
 */
export function aboutBytes(data: unknown): number {
  try {
    // It has no text at all for undefined, whatever its type says.
    return (JSON.stringify(data) as string | undefined)?.length ?? 0
  } catch {
    return 0
  }
}
