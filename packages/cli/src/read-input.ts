import { open } from 'node:fs/promises'
import { CommandError, readAtMost, usage, type Io } from './io.ts'

/** The largest body of a delivery, in bytes. */
export const maxBodyBytes = 25 * 1024 * 1024

/**
 * Reads a file, or standard input for `-`.
 *
 * @param maximum - the largest number of bytes
 * @throws CommandError if the input cannot be read or is too large
 */
export async function readInput(file: string, maximum: number, io: Io): Promise<Uint8Array> {
  const bytes = file === '-' ? await readAtMost(io.stdin, maximum) : await readFileAtMost(file, maximum)
  if (bytes === undefined)
    throw new CommandError(usage, `${getInputName(file)} is larger than ${maximum} bytes`)
  return bytes
}

/** Returns the name of an input in messages. */
export const getInputName = (file: string): string => (file === '-' ? 'Standard input' : file)

async function readFileAtMost(file: string, maximum: number): Promise<Uint8Array | undefined> {
  try {
    const handle = await open(file)
    return await readAtMost(handle.createReadStream(), maximum)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new CommandError(usage, `${file} cannot be read (${code ?? 'unknown'})`)
  }
}
