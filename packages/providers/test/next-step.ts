import { readdir, readFile } from 'node:fs/promises'

/**
 * The next step to complete the scaffolded files of a folder, as `file:line: step`; `undefined` when none remains. Numbered steps come
 * first.
 */
export async function findNextStep(
  folder: URL,
  isIncluded: (name: string) => boolean = () => true,
): Promise<string | undefined> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  const steps = await Promise.all(
    files
      .filter((file) => file.isFile() && isIncluded(file.name))
      .map(async ({ parentPath, name }) => {
        const path = `${parentPath.replace(/\/$/, '')}/${name}`
        const lines = (await readFile(path, 'utf8')).split('\n')
        return lines.flatMap((line, index) => {
          const [, number, what = ''] = /\bTODO\W*(\d+)?\W*(.*?)(?:",?)?$/.exec(line) ?? []
          if (!line.includes('TODO')) return []
          const where = `${path.slice(folder.pathname.length)}:${index + 1}`
          return [{ order: Number(number ?? Number.MAX_SAFE_INTEGER), message: `${where}: ${what}` }]
        })
      }),
  )
  return steps.flat().sort((a, b) => a.order - b.order)[0]?.message
}
