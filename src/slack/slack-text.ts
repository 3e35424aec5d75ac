/**
 * What somebody typed, without Slack's markup: `<url|label>` is the label, `<@U1>` nothing, entities are characters,
 * code style and smart quotes are gone, a dash that was two hyphens is two hyphens again.
 * https://docs.slack.dev/messaging/formatting-message-text
 */
export function plainText(text: string): string {
  return text
    .replace(/<[@!#][^>]*>/g, ' ')
    .replace(/<[^>|]+\|([^>]*)>/g, '$1')
    .replace(/<(?:https?:\/\/|mailto:)?([^>]*)>/g, '$1')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&')
    .replace(/[`*“”„"‘’]/g, ' ')
    .replace(/(?<!\S)[–—](?=\w{2})/g, '--')
    .replace(/\s+/g, ' ')
    .trim()
}
