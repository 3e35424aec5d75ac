import { imageReference } from './image-reference.ts'
import type { Subject } from './subject.ts'

/** Images that are made without a shell: distroless, Chainguard's, those that hold one static binary. */
const SHELL_LESS =
  /distroless|^cgr\.dev\/chainguard\/|^(?:registry\.k8s|k8s\.gcr)\.io\/|(?:^|[/:-])(?:static|scratch|nonroot)(?:$|[:@-])|(?:^|\/)(?:coredns|prometheus-operator|cert-manager-[a-z]+)(?=[:@]|$)/
/** Their variants that add one: `gcr.io/distroless/java17:debug`, `cgr.dev/chainguard/node:latest-dev`. */
const SHELL_ADDED = /[:-](?:debug|dev)(?:$|[-@])/
/** Tags that name a distribution with a shell: `1.25-alpine`, `3.12-slim-bookworm`. */
const DISTRIBUTION = /:[\w.-]*(?:alpine|slim|ubuntu|debian|bookworm|bullseye|trixie|jammy|noble)/

/** Repositories of well-known images that have a shell, by their last part, whichever registry mirrors them. */
const KNOWN = new Set(
  (
    'alpine amazonlinux archlinux bash busybox buildpack-deps cassandra centos composer consul debian drupal ' +
    'eclipse-temurin elasticsearch elixir erlang fedora flyway ghost golang grafana gradle groovy haproxy haskell httpd ' +
    'influxdb java jenkins jetty joomla julia kafka keycloak kibana liquibase logstash mariadb maven memcached mongo ' +
    'mongodb mysql neo4j netshoot nextcloud nginx node openjdk opensearch openresty perl php phpmyadmin postgres ' +
    'postgresql pypy python r-base rabbitmq redis rockylinux ruby rust solr sonarqube swift tomcat traefik ubi8 ubi9 ' +
    'ubi-minimal ubuntu valkey varnish vault wordpress zookeeper'
  ).split(' '),
)

const isShell = (word: string | undefined): boolean => /^(?:\/(?:usr\/)?bin\/)?(?:ba|da|a|z|k)?sh$/.test(word ?? '')
const NO_SHELL = /exec: "(?:\/(?:usr\/)?bin\/)?(?:ba|da|a)?sh": |stat \/(?:usr\/)?bin\/(?:ba|a)?sh: no such file/

/**
 * Whether the container's image has a shell, as far as can be told: from how the runtime failed to start one, from what
 * the spec or a hook runs with it, from the image's name. Null: unknown.
 */
export const hasShell = ({ container, view, waitingMessage }: Subject): boolean | null => {
  const { spec, ended } = container
  const failures = [waitingMessage, ended?.terminated.message ?? '', ...view.events.map(({ message }) => message)]
  const image = spec.image ?? ''
  const starts = isShell(spec.command?.[0])
  if (starts && failures.some(message => NO_SHELL.test(message))) return false
  const hooks = [spec.lifecycle?.postStart, spec.lifecycle?.preStop, spec.livenessProbe, spec.readinessProbe]
  if (starts || (ended && hooks.some(hook => isShell(hook?.exec?.command?.[0])))) return true
  if (SHELL_LESS.test(image)) return SHELL_ADDED.test(image)
  if (DISTRIBUTION.test(image)) return true
  return KNOWN.has(imageReference(image).repository.split('/').at(-1) ?? '') ? true : null
}
