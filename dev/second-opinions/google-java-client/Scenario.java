import com.google.api.client.googleapis.batch.BatchRequest;
import com.google.api.client.googleapis.batch.json.JsonBatchCallback;
import com.google.api.client.googleapis.json.GoogleJsonError;
import com.google.api.client.googleapis.json.GoogleJsonResponseException;
import com.google.api.client.http.AbstractInputStreamContent;
import com.google.api.client.http.ByteArrayContent;
import com.google.api.client.http.HttpHeaders;
import com.google.api.client.http.HttpRequestInitializer;
import com.google.api.client.http.HttpResponseException;
import com.google.api.client.http.HttpTransport;
import com.google.api.client.http.InputStreamContent;
import com.google.api.client.http.javanet.NetHttpTransport;
import com.google.api.client.json.gson.GsonFactory;
import com.google.api.client.util.Data;
import com.google.api.client.util.DateTime;
import com.google.api.services.calendar.Calendar;
import com.google.api.services.calendar.model.Event;
import com.google.api.services.calendar.model.EventDateTime;
import com.google.api.services.calendar.model.Events;
import com.google.api.services.drive.Drive;
import com.google.api.services.drive.model.File;
import com.google.api.services.drive.model.FileList;
import com.google.gson.GsonBuilder;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/** Google's Java clients through a gateway and on its simulator; one line of JSON for each check. */
public final class Scenario {
  private static final int CHUNK = 256 * 1024;
  private static final byte[] BYTES = new byte[2 * CHUNK + 17];
  private static final String BASE_URL = env("BASE_URL");

  private interface Check {
    void run() throws Exception;
  }

  private interface Call {
    Object execute() throws IOException;
  }

  public static void main(String[] arguments) {
    new Random(1).nextBytes(BYTES);
    drive("through the gateway", drive(gateway(env("SECRET_KEY"), "google-drive"), Gateway.INITIALIZER));
    calendar();
    refusals();
    HttpTransport plain = new NetHttpTransport();
    HttpRequestInitializer token = request -> request.getHeaders().setAuthorization("Bearer " + env("ACCESS_TOKEN"));
    drive("as it is, on the simulator", builder(plain, token).setRootUrl(env("SIMULATOR_URL") + "/").build());
  }

  private static HttpTransport gateway(String secretKey, String integration) {
    return Gateway.transport(BASE_URL, secretKey, integration, env("CONNECTION_ID"));
  }

  private static Drive.Builder builder(HttpTransport transport, HttpRequestInitializer initializer) {
    return new Drive.Builder(transport, GsonFactory.getDefaultInstance(), initializer).setApplicationName("opinion");
  }

  private static Drive drive(HttpTransport transport, HttpRequestInitializer initializer) {
    return builder(transport, initializer).build();
  }

  private static void drive(String how, Drive drive) {
    List<String> made = new ArrayList<>();
    check(how + ": pages of a list", () -> {
      List<String> ids = new ArrayList<>();
      String token = null;
      do {
        FileList page = drive.files().list().setPageSize(100).setPageToken(token).execute();
        page.getFiles().forEach(file -> ids.add(file.getId()));
        token = page.getNextPageToken();
      } while (token != null);
      equal(ids.stream().distinct().count() > 100, true);
    });
    check(how + ": metadata, and PATCH sent as POST", () -> {
      File file = drive.files().create(new File().setName("é ☕.txt").setProperties(Map.of("k", "v"))).execute();
      File changed = new File().setDescription("told").setProperties(Data.nullOf(HashMap.class));
      File patched = drive.files().update(file.getId(), changed).setFields("name,description,properties").execute();
      equal(List.of(patched.getName(), patched.getDescription(), patched.containsKey("properties")), List.of("é ☕.txt", "told", false));
    });
    check(how + ": a resumable upload in chunks", () -> made.add(upload(drive, new ByteArrayContent("a/b", BYTES), false)));
    check(how + ": a resumable upload of unknown length", () -> {
      upload(drive, new InputStreamContent("a/b", new ByteArrayInputStream(BYTES)), false);
      upload(drive, new InputStreamContent("a/b", new ByteArrayInputStream(BYTES, 0, 2 * CHUNK)), false);
      upload(drive, new ByteArrayContent("a/b", new byte[0]), false);
    });
    check(how + ": a multipart upload", () -> made.add(upload(drive, new ByteArrayContent("a/b", BYTES), true)));
    check(how + ": a download in chunks, whole and of a range", () -> {
      ByteArrayOutputStream whole = new ByteArrayOutputStream();
      Drive.Files.Get get = drive.files().get(made.get(0));
      get.getMediaHttpDownloader().setChunkSize(CHUNK);
      get.executeMediaAndDownloadTo(whole);
      equal(Arrays.equals(whole.toByteArray(), BYTES), true);
      ByteArrayOutputStream range = new ByteArrayOutputStream();
      Drive.Files.Get part = drive.files().get(made.get(0));
      part.getMediaHttpDownloader().setContentRange(100, 300_000).setChunkSize(CHUNK);
      part.executeMediaAndDownloadTo(range);
      equal(Arrays.equals(range.toByteArray(), Arrays.copyOfRange(BYTES, 100, 300_001)), true);
    });
    check(how + ": an export", () -> {
      File document = new File().setName("d").setMimeType("application/vnd.google-apps.document");
      String id = drive.files().create(document, new ByteArrayContent("text/plain", "told".getBytes())).execute().getId();
      ByteArrayOutputStream text = new ByteArrayOutputStream();
      drive.files().export(id, "text/plain").executeMediaAndDownloadTo(text);
      equal(text.toString().contains("told"), true);
    });
    check(how + ": a batch that reads, misses, changes and deletes", () -> {
      Answers answers = new Answers();
      BatchRequest batch = drive.batch(drive.getRequestFactory().getInitializer());
      drive.files().get(made.get(0)).queue(batch, answers.named("read"));
      drive.files().get("none").queue(batch, answers.named("missed"));
      drive.files().update(made.get(0), new File().setName("ü")).queue(batch, answers.named("changed"));
      drive.files().delete(made.get(1)).queue(batch, answers.named("deleted"));
      batch.execute();
      equal(answers.told, List.of("read", "missed 404 notFound", "changed", "deleted"));
      equal(drive.files().get(made.get(0)).execute().getName(), "ü");
    });
    check(how + ": errors of Google's", () -> equal(refusal(() -> drive.files().get(made.get(1)).execute()), "404 notFound"));
  }

  private static void calendar() {
    HttpTransport transport = gateway(env("SECRET_KEY"), "google-calendar");
    Calendar calendar = new Calendar.Builder(transport, GsonFactory.getDefaultInstance(), Gateway.INITIALIZER)
        .setApplicationName("opinion").build();
    Event[] event = new Event[1];
    check("calendar: an event, changed under its etag only", () -> {
      event[0] = calendar.events().insert("primary", event("first")).execute();
      Calendar.Events.Patch patch = calendar.events().patch("primary", event[0].getId(), new Event().setLocation("here"));
      patch.getRequestHeaders().setIfMatch(event[0].getEtag());
      equal(patch.execute().getLocation(), "here");
      equal(refusal(patch::execute), "412 conditionNotMet");
    });
    check("calendar: a sync, and a token that is malformed", () -> {
      String page = null;
      Events events;
      do {
        events = calendar.events().list("primary").setMaxResults(50).setPageToken(page).execute();
        page = events.getNextPageToken();
      } while (page != null);
      calendar.events().patch("primary", event[0].getId(), new Event().setColorId("3")).execute();
      Events changed = calendar.events().list("primary").setSyncToken(events.getNextSyncToken()).execute();
      equal(changed.getItems().stream().map(Event::getId).toList(), List.of(event[0].getId()));
      equal(refusal(() -> calendar.events().list("primary").setSyncToken("none").execute()), "400 invalid");
    });
    check("calendar: a move to another calendar", () -> {
      var other = calendar.calendars().insert(new com.google.api.services.calendar.model.Calendar().setSummary("other")).execute();
      Event moved = calendar.events().move("primary", event[0].getId(), other.getId()).execute();
      equal(moved.getOrganizer().getEmail(), other.getId());
    });
    check("calendar: a batch", () -> {
      Answers answers = new Answers();
      // Without an initializer: the client makes it so where none is named, and the transport must do.
      BatchRequest batch = calendar.batch();
      calendar.events().insert("primary", event("second")).queue(batch, answers.named("inserted"));
      calendar.events().patch("primary", "none", new Event().setLocation("x")).queue(batch, answers.named("patched"));
      batch.execute();
      equal(answers.told, List.of("inserted", "patched 404 notFound"));
    });
  }

  private static void refusals() {
    check("an error of the gateway keeps its status and its code", () -> {
      Drive drive = drive(gateway("sk_default_wrong", "google-drive"), Gateway.INITIALIZER);
      try {
        drive.files().list().execute();
        equal("an answer", "a refusal");
      } catch (HttpResponseException refused) {
        equal(refused.getStatusCode(), 401);
        equal(refused.getContent().contains("invalid_secret_key"), true);
      }
    });
    check("another address gets nothing", () -> {
      Drive drive = builder(gateway(env("SECRET_KEY"), "google-drive"), Gateway.INITIALIZER)
          .setRootUrl("https://elsewhere.example/").build();
      try {
        drive.files().list().execute();
        equal("an answer", "a refusal");
      } catch (IOException refused) {
        equal(refused.getMessage().contains("elsewhere.example"), true);
      }
    });
  }

  private static Event event(String summary) {
    EventDateTime start = new EventDateTime().setDateTime(new DateTime("2026-12-01T09:00:00+01:00"));
    EventDateTime end = new EventDateTime().setDateTime(new DateTime("2026-12-01T10:00:00+01:00"));
    return new Event().setSummary(summary).setStart(start).setEnd(end);
  }

  private static String upload(Drive drive, AbstractInputStreamContent content, boolean direct) throws IOException {
    Drive.Files.Create create = drive.files().create(new File().setName("big.bin"), content).setFields("id,size,name");
    create.getMediaHttpUploader().setDirectUploadEnabled(direct);
    if (!direct) create.getMediaHttpUploader().setChunkSize(CHUNK);
    File file = create.execute();
    ByteArrayOutputStream stored = new ByteArrayOutputStream();
    if (file.getSize() > 0) drive.files().get(file.getId()).executeMediaAndDownloadTo(stored);
    equal(Arrays.equals(stored.toByteArray(), Arrays.copyOf(BYTES, stored.size())), true);
    equal(file.getSize(), (long) stored.size());
    return file.getId();
  }

  /** What the parts of a batch were answered, in their order. */
  private static final class Answers {
    final List<String> told = new ArrayList<>();

    <R> JsonBatchCallback<R> named(String name) {
      return new JsonBatchCallback<>() {
        @Override
        public void onSuccess(R answer, HttpHeaders headers) {
          told.add(name);
        }

        @Override
        public void onFailure(GoogleJsonError error, HttpHeaders headers) {
          told.add(name + " " + error.getCode() + " " + error.getErrors().get(0).getReason());
        }
      };
    }
  }

  private static String refusal(Call call) throws IOException {
    try {
      return "answered " + call.execute();
    } catch (GoogleJsonResponseException refused) {
      return refused.getStatusCode() + " " + refused.getDetails().getErrors().get(0).getReason();
    }
  }

  private static void equal(Object seen, Object wanted) {
    if (!wanted.equals(seen)) throw new AssertionError(seen + " instead of " + wanted);
  }

  private static void check(String name, Check check) {
    Object problem = null;
    try {
      check.run();
    } catch (Exception | AssertionError failure) {
      problem = failure.toString();
    }
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("check", name);
    line.put("problem", problem);
    System.out.println(new GsonBuilder().serializeNulls().create().toJson(line));
  }

  private static String env(String name) {
    return Objects.requireNonNull(System.getenv(name), name);
  }
}
