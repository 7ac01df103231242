{{/*
Settings that all pods share. Takes root, component and stores.
*/}}
{{- define "cityguide.podSecurity" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: {{ .Values.pod.user }}
  runAsGroup: {{ .Values.pod.user }}
  fsGroup: {{ .Values.pod.user }}
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile:
    type: RuntimeDefault
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- with .Values.pod.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.pod.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.pod.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- end }}

{{- define "cityguide.container" -}}
image: {{ include "cityguide.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
{{- end }}

{{/*
The Secrets of a pod: those of its stores, as far as configured, the key that signs caller tokens, and the certificate
for TLS between pods, as a JSON list of {path, variable, secret}. Takes root, stores, and databaseSecret if the pod has
its own Secret of the database.
*/}}
{{- define "cityguide.secrets" -}}
{{- $values := .root.Values -}}
{{- $all := list -}}
{{- range $store := list "database" "bus" "cache" -}}
{{- $secret := (get $values $store).secret -}}
{{- if and (eq $store "database") (get $ "databaseSecret" | default dict).name -}}
{{- $secret = $.databaseSecret -}}
{{- end -}}
{{- if and (has $store $.stores) $secret.name -}}
{{- $all = append $all (dict "path" (printf "%s-url" $store) "variable" (printf "CITYGUIDE__%s__URL_FILE" (upper $store)) "secret" $secret) -}}
{{- with (get $values $store).ca -}}
{{- if .name -}}
{{- $all = append $all (dict "path" (printf "%s-ca" $store) "variable" (printf "CITYGUIDE__%s__CA_FILE" (upper $store)) "secret" .) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if and (or (has "internal" .stores) (has "keys" .stores)) $values.internal.secret.name -}}
{{- $all = append $all (dict "path" "internal-key" "variable" "CITYGUIDE__INTERNAL__KEY_FILE" "secret" $values.internal.secret) -}}
{{- end -}}
{{- if and (has "internal" .stores) (include "cityguide.hasTls" .root) -}}
{{- $tls := $values.internalTls -}}
{{- range $name, $key := dict "ca" $tls.caKey "certificate" $tls.certificateKey "key" $tls.privateKey -}}
{{- $all = append $all (dict "path" (printf "rpc-tls-%s" $name) "variable" (printf "CITYGUIDE__RPC__TLS__%s_FILE" (upper $name)) "secret" (dict "name" (include "cityguide.tlsSecret" $.root) "key" $key)) -}}
{{- end -}}
{{- end -}}
{{- if and (has "mail" .stores) $values.mail.host $values.mail.secret.name -}}
{{- $all = append $all (dict "path" "mail-password" "variable" "CITYGUIDE__MAIL__PASSWORD_FILE" "secret" $values.mail.secret) -}}
{{- end -}}
{{- if and (has "mail" .stores) $values.mail.dkim.secret.name -}}
{{- $all = append $all (dict "path" "mail-dkim-key" "variable" "CITYGUIDE__MAIL__DKIM__KEY_FILE" "secret" $values.mail.dkim.secret) -}}
{{- end -}}
{{- if and (has "thirdParties" .stores) $values.facebook.appId -}}
{{- $all = append $all (dict "path" "facebook-app-secret" "variable" "CITYGUIDE__FACEBOOK__APP_SECRET_FILE" "secret" $values.facebook.secret) -}}
{{- end -}}
{{- if and (has "thirdParties" .stores) $values.calendars.google.clientId -}}
{{- $all = append $all (dict "path" "google-client-secret" "variable" "CITYGUIDE__CALENDAR__GOOGLE__CLIENT_SECRET_FILE" "secret" $values.calendars.google.secret) -}}
{{- end -}}
{{- if and (has "collector" .stores) $values.otlp.url $values.otlp.ca.name -}}
{{- $all = append $all (dict "path" "otlp-ca" "variable" "CITYGUIDE__OTLP__CA_FILE" "secret" $values.otlp.ca) -}}
{{- end -}}
{{- if and (has "blobs" .stores) $values.blobs.s3.bucket -}}
{{- $all = append $all (dict "path" "blobs-secret-access-key" "variable" "CITYGUIDE__BLOBS__S3__SECRET_ACCESS_KEY_FILE" "secret" $values.blobs.s3.secret) -}}
{{- end -}}
{{- range $store := list "backup" "erasures" -}}
{{- if and (has $store $.stores) (get $values $store).s3.bucket -}}
{{- $all = append $all (dict "path" (printf "%s-secret-access-key" $store) "variable" (printf "CITYGUIDE__%s__S3__SECRET_ACCESS_KEY_FILE" (upper $store)) "secret" (get $values $store).s3.secret) -}}
{{- end -}}
{{- end -}}
{{- toJson $all -}}
{{- end }}

{{/* Not empty if pods use TLS between each other. */}}
{{- define "cityguide.hasTls" -}}
{{- if and (eq .Values.mode "distributed") .Values.internalTls.enabled }}true{{ end -}}
{{- end }}

{{/* The Secret with the pods' certificate. */}}
{{- define "cityguide.tlsSecret" -}}
{{- .Values.internalTls.existingSecret | default (printf "%s-rpc" (include "cityguide.fullname" .)) -}}
{{- end }}

{{/* The name that every pod's certificate has; empty if it has the Services' names. */}}
{{- define "cityguide.tlsName" -}}
{{- $tls := .Values.internalTls -}}
{{- $tls.serverName | default (ternary "" (include "cityguide.fullname" .) (not (empty $tls.existingSecret))) -}}
{{- end }}

{{/* Environment, mounts and volumes of a pod's stores. Each takes root and stores. */}}
{{- define "cityguide.storesEnv" -}}
{{- range include "cityguide.secrets" . | fromJsonArray }}
- name: {{ .variable }}
  value: /run/secrets/cityguide/{{ .path }}
{{- end }}
{{- if has "database" .stores }}
- name: CITYGUIDE__DATABASE__MAX_CONNECTIONS
  value: {{ .root.Values.database.maxConnections | quote }}
{{- end }}
{{- if has "blobs" .stores }}
{{- include "cityguide.blobsEnv" .root.Values.blobs.s3 }}
{{- end }}
{{- range $store := list "backup" "erasures" }}
{{- $s3 := (get $.root.Values $store).s3 }}
{{- if and (has $store $.stores) $s3.bucket }}
{{- include "cityguide.bucketEnv" (dict "section" (upper $store) "s3" $s3) }}
{{- end }}
{{- end }}
{{- if has "mail" .stores }}
{{- include "cityguide.mailEnv" .root.Values.mail }}
- name: CITYGUIDE__NEWSLETTERS__POSTAL_ADDRESS
  value: {{ .root.Values.newsletters.postalAddress | quote }}
{{- with .root.Values.newsletters.sesTopic }}
- name: CITYGUIDE__NEWSLETTERS__WEBHOOKS__SES
  value: {{ . | quote }}
{{- end }}
{{- end }}
- name: CITYGUIDE__LOG__FORMAT
  value: json
- name: CITYGUIDE__LOG__FILTER
  value: {{ .root.Values.log.filter | quote }}
{{- range $name, $value := .root.Values.settings }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end }}

{{/* The store of pictures; takes the values of blobs.s3. */}}
{{- define "cityguide.blobsEnv" }}
{{- if .bucket }}
{{- include "cityguide.bucketEnv" (dict "section" "BLOBS" "s3" .) }}
{{- else }}
- name: CITYGUIDE__BLOBS__FOLDER
  value: /var/lib/cityguide/blobs
- name: CITYGUIDE__BLOBS__IS_SHARED
  value: "true"
{{- end }}
{{- end }}

{{/* The nodes of a pod that runs an operator's command; takes root and stores. */}}
{{- define "cityguide.commandAffinity" }}
{{- if and (has "blobs" .stores) (eq .root.Values.mode "single") (include "cityguide.hasVolume" .root) }}
# A volume that only one node can mount is mounted on the node of the site's pod.
affinity:
  podAffinity:
    requiredDuringSchedulingIgnoredDuringExecution:
      - topologyKey: kubernetes.io/hostname
        labelSelector:
          matchLabels:
            {{- include "cityguide.selector" .root | nindent 12 }}
            app.kubernetes.io/component: all
{{- else }}
{{- with .root.Values.pod.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- end }}

{{/* A bucket, except its secret; takes section and s3. */}}
{{- define "cityguide.bucketEnv" }}
- name: CITYGUIDE__{{ .section }}__S3__BUCKET
  value: {{ .s3.bucket | quote }}
- name: CITYGUIDE__{{ .section }}__S3__ENDPOINT
  value: {{ .s3.endpoint | quote }}
- name: CITYGUIDE__{{ .section }}__S3__REGION
  value: {{ .s3.region | quote }}
- name: CITYGUIDE__{{ .section }}__S3__ACCESS_KEY_ID
  value: {{ .s3.accessKeyId | quote }}
{{- end }}

{{/* The mail server or folder; takes the values of mail. */}}
{{- define "cityguide.mailEnv" }}
- name: CITYGUIDE__MAIL__FOLDER
  value: /var/lib/cityguide/mail
{{- if .host }}
- name: CITYGUIDE__MAIL__HOST
  value: {{ .host | quote }}
- name: CITYGUIDE__MAIL__PORT
  value: {{ .port | quote }}
- name: CITYGUIDE__MAIL__SECURITY
  value: {{ .security | quote }}
- name: CITYGUIDE__MAIL__USER
  value: {{ .user | quote }}
{{- end }}
{{- if .dkim.secret.name }}
- name: CITYGUIDE__MAIL__DKIM__DOMAIN
  value: {{ .dkim.domain | quote }}
- name: CITYGUIDE__MAIL__DKIM__SELECTOR
  value: {{ .dkim.selector | quote }}
{{- end }}
- name: CITYGUIDE__MAIL__FROM
  value: {{ .from | quote }}
- name: CITYGUIDE__CONTACT__TO
  value: {{ .contactTo | quote }}
{{- end }}

{{/* Environment, mount and volume of the site's own settings, for pods that read them. */}}
{{- define "cityguide.siteEnv" -}}
- name: CITYGUIDE__SITE__FILE
  value: {{ if $.Values.site.toml }}/etc/cityguide/site.toml{{ else }}/usr/share/cityguide/sites/{{ $.Values.site.preset }}.toml{{ end }}
{{- end }}

{{- define "cityguide.siteMount" -}}
{{- if .Values.site.toml }}
- name: site
  mountPath: /etc/cityguide
  readOnly: true
{{- end }}
{{- end }}

{{- define "cityguide.siteVolume" -}}
{{- if .Values.site.toml }}
- name: site
  configMap:
    name: {{ include "cityguide.fullname" . }}-site
{{- end }}
{{- end }}

{{- define "cityguide.storesMounts" -}}
- name: tmp
  mountPath: /tmp
- name: secrets
  mountPath: /run/secrets/cityguide
  readOnly: true
{{- if and (has "blobs" .stores) (include "cityguide.hasVolume" .root) }}
- name: blobs
  mountPath: /var/lib/cityguide
{{- end }}
{{- end }}

{{- define "cityguide.storesVolumes" -}}
- name: tmp
  emptyDir:
    # Uploads to the bucket: http.max_uploads files of 25 MiB each, and space for an operator's files.
    sizeLimit: 2Gi
- name: secrets
  projected:
    defaultMode: 0440
    sources:
      {{- range include "cityguide.secrets" . | fromJsonArray }}
      - secret:
          name: {{ .secret.name }}
          items:
            - key: {{ .secret.key }}
              path: {{ .path }}
      {{- end }}
{{- if and (has "blobs" .stores) (include "cityguide.hasVolume" .root) }}
- name: blobs
  persistentVolumeClaim:
    claimName: {{ include "cityguide.blobsClaim" .root }}
{{- end }}
{{- end }}
