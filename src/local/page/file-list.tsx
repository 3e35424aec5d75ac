import type { SharedFile } from '../files.ts'

/** The files of a message, each a link that opens its text. */
export function FileList({ files }: { readonly files: readonly SharedFile[] }) {
  return files.map(({ id, name, title, size }) => (
    <a
      key={id}
      className="file"
      href={`/local/files/${encodeURIComponent(id)}`}
      target="_blank"
      rel="noopener noreferrer"
    >
      <span className="file-mark" aria-hidden="true">
        TXT
      </span>
      <span className="file-title">{title}</span>
      <span className="file-facts">
        {name === title ? '' : `${name} · `}
        {fileSize(size)}
        <span className="visually-hidden">, opens in a new tab</span>
      </span>
    </a>
  ))
}

/** `812 bytes`, `1.3 kB`, `4.0 MB`. */
function fileSize(bytes: number): string {
  if (bytes < 1000) return bytes === 1 ? '1 byte' : `${bytes} bytes`
  const [unit, divisor] = bytes < 999_950 ? ['kB', 1e3] : ['MB', 1e6]
  return `${(bytes / divisor).toFixed(1)} ${unit}`
}
