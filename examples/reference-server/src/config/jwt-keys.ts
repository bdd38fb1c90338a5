import { createKeyRing, readPrivateKeys, type PrivateKeyInput } from '@sallyport/auth'

/** The private keys of `JWT_KEYS`, none where it is unset; what is wrong with it becomes a problem. */
export function readJwtKeys(text: string | undefined, problems: string[]): readonly PrivateKeyInput[] {
  if (text === undefined) return []
  try {
    return readPrivateKeys(text)
  } catch (error) {
    problems.push(`JWT_KEYS: ${(error as Error).message}`)
    return []
  }
}

/** What is wrong with keys and secrets that each would do, taken together. */
export function ringProblems(
  keys: readonly PrivateKeyInput[],
  secrets: readonly string[],
): readonly string[] {
  if (keys.length + secrets.length === 0) return []
  try {
    createKeyRing([...keys, ...secrets])
    return []
  } catch (error) {
    return [`JWT_KEYS and JWT_SECRET, counted together from keys[0]: ${(error as Error).message}`]
  }
}
