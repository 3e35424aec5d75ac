import type { Subject } from '../subject.ts'

const SAYS_SO =
  /\b(?:listening|listen|serving|started|starting|running|ready|bound|accepting|server|listener|up)\b[^\n]{0,80}?(?::|\bport\b[ =:]{0,3}|\bon )(\d{2,5})\b/gi

/** Ports the container is known or says to listen on: `containerPort`s, and lines of its log like `listening on :8080`. */
export const listeningPorts = (
  subject: Subject,
): { readonly declared: readonly number[]; readonly said: readonly number[] } => {
  const declared = (subject.container.spec.ports ?? []).flatMap(({ containerPort }) => containerPort ?? [])
  const said = new Set<number>()
  for (const { text } of subject.lines.slice(0, 200)) {
    for (const [, port] of text.slice(0, 500).matchAll(SAYS_SO)) {
      const value = Number(port)
      if (value >= 80 && value <= 65535) said.add(value)
    }
  }
  return { declared, said: [...said] }
}
