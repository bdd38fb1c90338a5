import { createKeyRing, readPrivateKeys, type PrivateKeyInput } from '@sallyport/auth'

/** Reads the private keys of `JWT_KEYS` and adds its problems to the list. */
export function readJwtKeys(text: string | undefined, problems: string[]): readonly PrivateKeyInput[] {
  if (text === undefined) return []
  try {
    return readPrivateKeys(text)
  } catch (error) {
    problems.push(`JWT_KEYS: ${(error as Error).message}`)
    return []
  }
}

/** Reports keys and secrets that cannot be used together, such as duplicates. */
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
